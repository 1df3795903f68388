import type { OperationName, TYPED_CATALOGUE } from '../operations/catalogue.ts'
import type { TypedOperation } from '../operations/operation.ts'
import type { Detail } from '../operations/search-input.ts'
import type { Warning } from '../operations/warnings.ts'

type Typed<N extends OperationName> =
  (typeof TYPED_CATALOGUE)[N] extends TypedOperation<infer I, infer D, infer M>
    ? { input: I; data: D; meta: M }
    : never

type Listed<N extends OperationName> = Extract<Typed<N>['data'], readonly unknown[]>[number]
type Brief<Post> = Extract<Post, { readonly snippet: string }>
type Full<Post> = Extract<Post, { readonly text: string }>

/** Posts as `detail` asks for them. */
interface Shown<Post> {
  readonly brief: Brief<Post>
  readonly full: Full<Post>
  readonly ids: Exclude<Post, Brief<Post> | Full<Post>>
}

type Explanation = Exclude<Typed<'search_posts'>['data'], readonly unknown[]>

export type InputOf<N extends OperationName> = Typed<N>['input']

/** An input without parameters that there are not: inference alone would let a mistyped name pass. */
export type Known<N extends OperationName, I> = InputOf<N> & {
  readonly [K in Exclude<keyof I, keyof InputOf<N>>]: never
}

/** A parameter as given, undefined where it may be left out. One input of a union may have it and another not. */
type Given<I, K extends string> = I extends unknown ? (K extends keyof I ? I[K] : undefined) : never
type OrDefault<Value, Default> =
  Exclude<Value, undefined> | (undefined extends Value ? Default : never)

type DetailOf<I> = OrDefault<Given<I, 'detail'>, 'brief'> & Detail
type PostsOf<N extends OperationName, I> = Shown<Listed<N>>[DetailOf<I>][]

type SearchOf<I, IsExplained> =
  | (false extends IsExplained ? PostsOf<'search_posts', I> : never)
  | (true extends IsExplained ? Explanation : never)

type DataOf<N extends OperationName, I> = N extends 'search_posts'
  ? SearchOf<I, OrDefault<Given<I, 'explain'>, false>>
  : N extends 'list_channel_posts'
    ? PostsOf<N, I>
    : Typed<N>['data']

/** The reply to an input: its `detail` and `explain` decide what the data is. */
export interface ReplyOf<N extends OperationName, I = InputOf<N>> {
  readonly data: DataOf<N, I>
  readonly meta: Typed<N>['meta'] & { readonly request_id: string; readonly took_ms: number }
  readonly warnings: readonly Warning[]
}
