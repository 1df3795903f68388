/** The package types its converters but not the dictionaries it exports beside them. */
declare module 'opencc-js/dict/TSCharacters' {
  /** `from to|from to|…` */
  const characters: string
  export default characters
}
