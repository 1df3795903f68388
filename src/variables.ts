import * as z from 'zod'
import { MEDIA_MODES } from './model/picture.ts'
import { LOG_LEVELS } from './observe/log.ts'
import {
  digits,
  folder,
  host,
  isDatabaseUrl,
  isMailUrl,
  nodes,
  oneOf,
  onOff,
  origin,
  port,
  readableFile,
  size,
  webAddress,
  whole,
  wordOr,
} from './variable-values.ts'

/** An environment variable. */
export interface Variable {
  readonly accepts: string
  readonly meaning: string
  readonly schema: z.ZodType
  /** It names a file or a folder. */
  readonly isPath?: boolean
  /** The value used when the variable is not set. */
  readonly default?: string
  /** What it means when the variable is not set, if there is no default. */
  readonly unset?: string
}

/** The default as the documentation shows it. */
export function defaultOf({ default: value, unset = 'unset' }: Variable): string {
  return value ?? unset
}

/** The table of all variables; `docs/configuration.md` is kept equal to it. */
export const VARIABLES = {
  TELEGREP_HOST: { ...host, default: '127.0.0.1', meaning: 'address to listen on' },
  TELEGREP_PORT: {
    default: '8080',
    accepts: 'a port, 0 to 65535 (0: any free one)',
    schema: port,
    meaning: 'port to listen on',
  },
  TELEGREP_PUBLIC_URL: {
    ...origin,
    unset: 'from host and port',
    meaning: 'base of absolute links',
  },
  TELEGREP_ADMIN_HOST: { ...host, default: '127.0.0.1', meaning: 'address of the admin listener' },
  TELEGREP_ADMIN_PORT: {
    default: 'off',
    accepts: 'a port, or off',
    schema: wordOr('off', null, port),
    meaning: 'port of the admin listener, which serves `/metrics`, `/healthz` and `/readyz`',
  },
  TELEGREP_DATA: {
    ...folder,
    default: './data',
    meaning: 'store and index, as far as they are in files, and the secret',
  },
  TELEGREP_SECRET: {
    unset: 'made once in `TELEGREP_DATA`, mode 0600; needed with `TELEGREP_DATABASE_URL`',
    accepts: 'at least 16 characters',
    schema: z.string().min(16),
    meaning: 'signs cursors, peppers keys',
  },
  TELEGREP_SOURCE_URL: {
    ...origin,
    default: 'https://t.me',
    meaning: 'where channels are read from',
  },
  TELEGREP_DATABASE_URL: {
    unset: 'unset: SQLite in `TELEGREP_DATA`',
    accepts:
      'postgres://user@host:port/database, perhaps with ?sslmode=require or verify-full and schema=name',
    schema: z.string().refine(isDatabaseUrl),
    meaning: 'a PostgreSQL to keep the archive in; its schema is `telegrep` unless named',
  },
  TELEGREP_DATABASE_PASSWORD_FILE: {
    ...readableFile,
    unset: 'unset: the one in the URL',
    meaning: 'its first line is the password of the database’s user',
  },
  TELEGREP_DATABASE_CA_FILE: {
    ...readableFile,
    meaning: 'certificates in PEM that the database’s must be signed by; asks for TLS',
  },
  TELEGREP_SEARCH_URL: {
    unset: 'unset: embedded index in `TELEGREP_DATA`',
    accepts: 'http(s)://host:port[,host:port], without user and password',
    schema: nodes,
    meaning: 'nodes of an OpenSearch to keep the index in',
  },
  TELEGREP_SEARCH_PREFIX: {
    default: 'telegrep',
    accepts: 'small letters, digits, - and _, up to 60, a letter first',
    schema: z.string().regex(/^[a-z][a-z0-9_-]{0,59}$/),
    meaning: 'what the names of all indices in that OpenSearch begin with',
  },
  TELEGREP_SEARCH_USER: {
    accepts: 'a name without colons',
    schema: z.string().regex(/^[^:\s]{1,200}$/),
    meaning: 'user of that OpenSearch',
  },
  TELEGREP_SEARCH_PASSWORD_FILE: {
    ...readableFile,
    meaning: 'its first line is that user’s password',
  },
  TELEGREP_SEARCH_CA_FILE: {
    ...readableFile,
    unset: 'unset: those the system trusts',
    meaning: 'certificates in PEM that the nodes’ must be signed by',
  },
  TELEGREP_SEARCH_SHARDS: {
    ...whole(1, 64),
    default: '1',
    meaning: 'primary shards of a week’s index, for weeks that begin from now on',
  },
  TELEGREP_SEARCH_REPLICAS: {
    default: 'auto',
    accepts: 'auto, or 0 to 8',
    schema: wordOr('auto', undefined, whole(0, 8).schema),
    meaning: 'copies of each shard; `auto`: one where there is a second node',
  },
  TELEGREP_CHANNELS: {
    accepts: 'a file of channel names, one a line',
    isPath: true,
    schema: z.string().min(1),
    meaning: 'channels to index from the start',
  },
  TELEGREP_CRAWL_RATE: {
    default: '1',
    accepts: 'requests per second, 0.1 to 1000',
    schema: z
      .string()
      .regex(/^\d{1,4}(\.\d{1,6})?$/)
      .transform(Number)
      .pipe(z.number().min(0.1).max(1000)),
    meaning:
      'at most rate + 3 requests in any second and rate × 60 in any minute, over all processes and restarts',
  },
  TELEGREP_CRAWL_CONCURRENCY: {
    ...whole(1, 64),
    default: '4',
    meaning: 'channels read at the same time',
  },
  TELEGREP_AUTO_INDEX: {
    ...oneOf(['off', 'live', 'discover']),
    default: 'off',
    meaning:
      '`live`: index channels read by `/live`; `discover`: also those found in forwards and mentions',
  },
  TELEGREP_DELETED: {
    ...oneOf(['redact', 'keep']),
    default: 'redact',
    meaning: '`keep`: the text of deleted posts stays, of those deleted from then on',
  },
  TELEGREP_VERSIONS: {
    ...oneOf(['keep', 'hash']),
    default: 'keep',
    meaning:
      '`hash`: earlier versions as dates and hashes only, of posts changed from then on; what was kept before stays',
  },
  TELEGREP_ARCHIVE_DAYS: {
    default: 'unlimited',
    accepts: 'days, at least 31, or unlimited',
    schema: wordOr('unlimited', null, digits.pipe(z.number().min(31))),
    meaning: 'older posts are dropped from the archive, and not taken in',
  },
  TELEGREP_TIERS: {
    unset: 'built-in',
    accepts: 'a JSON file',
    isPath: true,
    schema: z.string().min(1),
    meaning: 'tiers and their policies',
  },
  TELEGREP_ANONYMOUS: {
    default: 'on',
    accepts: 'on or off',
    schema: onOff,
    meaning: '`off`: a key is required',
  },
  TELEGREP_TRUST_PROXY: {
    default: 'off',
    accepts: 'off, or 1 to 16 hops',
    schema: wordOr('off', 0, whole(1, 16).schema),
    meaning: 'hops whose `X-Forwarded-For` is believed',
  },
  TELEGREP_CONTACT: {
    accepts: 'an address, mail or web, up to 200 characters',
    schema: z.string().regex(/^[\x21-\x7e]{1,200}$/),
    meaning:
      'told in `/meta`, in `/.well-known/security.txt` and to the platform in the User-Agent',
  },
  TELEGREP_REMOVAL_URL: {
    ...webAddress,
    meaning:
      'where removal can be asked for; told in `/meta` and to the platform in the User-Agent',
  },
  TELEGREP_CONTENT_USAGE: {
    default: 'train-ai=n',
    accepts: 'preferences of the AIPREF vocabulary, such as `train-ai=n, search=y`; off',
    schema: z
      .string()
      .regex(/^(?:off|[a-z*][a-z0-9_.*-]*=[yn](?:, ?[a-z*][a-z0-9_.*-]*=[yn]){0,9})$/),
    meaning: 'how posts may be used by machines, sent as `Content-Usage` and told in `/robots.txt`',
  },
  TELEGREP_EVIDENCE_KEY: {
    ...whole(1, 100),
    default: '1',
    accepts: 'a number, 1 to 100',
    meaning:
      'which of the keys made from the secret signs evidence; raise it to change the key, earlier ones stay published',
  },
  TELEGREP_TIMESTAMP_URL: {
    ...webAddress,
    meaning: 'a timestamp authority (RFC 3161) that is asked to stamp each package of evidence',
  },
  TELEGREP_BOT_TOKEN_FILE: {
    ...readableFile,
    meaning: 'its first line is the token of the Telegram bot that watches write as',
  },
  TELEGREP_BOT_URL: {
    ...origin,
    default: 'https://api.telegram.org',
    meaning: 'where the Bot API is',
  },
  TELEGREP_SMTP_URL: {
    accepts: 'smtp://user@host:587 or smtps://user@host:465, without a password',
    schema: z.string().refine(isMailUrl),
    meaning:
      'a server that sends the mails of watches; `smtp` goes over STARTTLS, but to this host itself',
  },
  TELEGREP_SMTP_PASSWORD_FILE: {
    ...readableFile,
    meaning: 'its first line is that user’s password',
  },
  TELEGREP_SMTP_CA_FILE: {
    ...readableFile,
    unset: 'unset: those the system trusts',
    meaning: 'certificates in PEM that the mail server’s must be signed by',
  },
  TELEGREP_SMTP_FROM: {
    unset: 'telegrep@ the host of `TELEGREP_PUBLIC_URL`',
    accepts: 'a mail address',
    schema: z.string().regex(/^[^\s@<>,;"]{1,64}@[^\s@<>,;"]{1,250}$/),
    meaning: 'whom the mails of watches are from',
  },
  TELEGREP_MEDIA: {
    default: 'link',
    accepts: MEDIA_MODES.join(', '),
    schema: z.enum(MEDIA_MODES),
    meaning:
      '`link`: pages have placeholders that link to the post. `show`: they load pictures and films from the platform’s own hosts. `keep`: pictures are kept beside the archive and served from here',
  },
  TELEGREP_MEDIA_BYTES: {
    ...size,
    default: '10GB',
    meaning: '`keep`: as much is kept in all; what is kept stays, and nothing more is fetched',
  },
  TELEGREP_MEDIA_DAY_BYTES: {
    ...size,
    default: '500MB',
    meaning: '`keep`: as much is fetched in a day (UTC)',
  },
  TELEGREP_MEDIA_PICTURE_BYTES: {
    default: '2MB',
    accepts: `${size.accepts}, at most 50MB`,
    schema: size.schema.pipe(z.number().max(50e6)),
    meaning: '`keep`: larger pictures are left out',
  },
  TELEGREP_MEDIA_FOLDER: {
    ...folder,
    unset: '`media` in `TELEGREP_DATA`',
    meaning: '`keep`: where the files are; processes that share a store share it, too',
  },
  TELEGREP_MEDIA_URL: {
    ...origin,
    unset: 'unset: the platform’s own hosts',
    meaning: '`keep`: asked in place of those hosts, by the same paths',
  },
  TELEGREP_LOG: {
    default: 'info',
    accepts: LOG_LEVELS.join(', '),
    schema: z.enum(LOG_LEVELS),
    meaning: 'JSON lines, or a human form on a terminal',
  },
  TELEGREP_KEY: {
    accepts: 'an API key',
    schema: z.string().regex(/^[\x21-\x7e]{1,256}$/),
    meaning: 'sent by query commands with `--url`, in place of `--key`',
  },
} satisfies Record<string, Variable>
