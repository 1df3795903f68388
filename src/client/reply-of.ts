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

/** The parameters of an operation. A caller's `detail` and `explain` decide what the reply holds. */
export type InputOf<
  N extends OperationName,
  D extends Detail = Detail,
  E extends boolean = boolean,
> = N extends 'search_posts'
  ? Omit<Typed<N>['input'], 'detail' | 'explain'> & {
      readonly detail?: D | undefined
      readonly explain?: E | undefined
    }
  : N extends 'list_channel_posts'
    ? Omit<Typed<N>['input'], 'detail'> & { readonly detail?: D | undefined }
    : Typed<N>['input']

type DataOf<N extends OperationName, D extends Detail, E extends boolean> = N extends 'search_posts'
  ? (false extends E ? Shown<Listed<N>>[D][] : never) | (true extends E ? Explanation : never)
  : N extends 'list_channel_posts'
    ? Shown<Listed<N>>[D][]
    : Typed<N>['data']

export interface ReplyOf<
  N extends OperationName,
  D extends Detail = Detail,
  E extends boolean = boolean,
> {
  readonly data: DataOf<N, D, E>
  readonly meta: Typed<N>['meta'] & { readonly request_id: string; readonly took_ms: number }
  readonly warnings: readonly Warning[]
}
