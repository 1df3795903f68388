/** Where a store is: plain data, so that a thread can be told. */
export type StoreLocation = { readonly kind: 'sqlite'; readonly folder: string }

/** What the operator says of it. */
export interface StorePlace {
  /** Absolute; of a store in files. */
  readonly folder: string
}

export function locateStore({ folder }: StorePlace): StoreLocation {
  return { kind: 'sqlite', folder }
}
