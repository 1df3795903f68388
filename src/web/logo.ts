import { raw } from './markup.ts'

/** The logo: a lens over the lines of a message, one of them highlighted. */
const SHAPES =
  '<rect width="32" height="32" rx="8" fill="#0b6e56"/><path d="M20.2 20.2l5.6 5.6" stroke="#fff" stroke-width="3.4" stroke-linecap="round"/><circle cx="13.6" cy="13.6" r="8.2" fill="#0a5a47" stroke="#fff" stroke-width="2.4"/><path d="M9.8 11.2h7.6" stroke="#ffd35c" stroke-width="2.4" stroke-linecap="round"/><path d="M9.8 15.8h4.6" stroke="#fff" stroke-width="2.4" stroke-linecap="round"/>'

export const LOGO = raw(`<svg viewBox="0 0 32 32" aria-hidden="true">${SHAPES}</svg>`)

export const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">${SHAPES}</svg>`
