import type { z } from 'zod'
import type { TYPED_CATALOGUE } from '../operations/catalogue.ts'
import type { briefHitView } from '../operations/views/hit.ts'
import type { briefPostView, fullPostView } from '../operations/views/post.ts'

/** The replies that pages are made from: exactly those of the API. */
type TypesOf<N extends keyof typeof TYPED_CATALOGUE> = NonNullable<
  (typeof TYPED_CATALOGUE)[N]['types']
>
type DataOf<N extends keyof typeof TYPED_CATALOGUE> = TypesOf<N>['data']

export type BriefPost = z.output<typeof briefPostView>
export type Count = NonNullable<BriefPost['views']>
export type Hit = z.output<typeof briefHitView>
export type FullPost = z.output<typeof fullPostView>
export type Post = DataOf<'get_post'>
export type ListedChannel = DataOf<'list_channels'>[number]
export type ChannelProfile = DataOf<'get_channel'>
export type LiveRead = DataOf<'get_live_channel'>
export type Meta = DataOf<'get_meta'>
export type Status = DataOf<'get_status'>
/** Posts that say the same, earliest first. */
export type Spread = DataOf<'get_spread'>
export type Change = DataOf<'list_changes'>[number]
export type Language = DataOf<'list_languages'>[number]
export type SearchMeta = TypesOf<'search_posts'>['meta']
export type { Warning } from '../operations/warnings.ts'
