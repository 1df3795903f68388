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
    meaning:
      'base of absolute links; with a host on the loopback, only this machine and its pages are answered',
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
    meaning: 'folder of the store and the index, unless they are on servers, and of the secret',
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
    meaning: 'first line: the database user’s password',
  },
  TELEGREP_DATABASE_CA_FILE: {
    ...readableFile,
    meaning: 'CA certificates in PEM to verify the database with; turns TLS on',
  },
  TELEGREP_SEARCH_URL: {
    unset: 'unset: embedded index in `TELEGREP_DATA`',
    accepts: 'http(s)://host:port[,host:port], without user and password',
    schema: nodes,
    meaning: 'nodes of an OpenSearch to keep the index in',
  },
  TELEGREP_SEARCH_PREFIX: {
    default: 'telegrep',
    accepts: 'up to 60 lower case letters, digits, - and _, a letter first',
    schema: z.string().regex(/^[a-z][a-z0-9_-]{0,59}$/),
    meaning: 'prefix of the names of all indices in that OpenSearch',
  },
  TELEGREP_SEARCH_USER: {
    accepts: 'a name without colons',
    schema: z.string().regex(/^[^:\s]{1,200}$/),
    meaning: 'user of that OpenSearch',
  },
  TELEGREP_SEARCH_PASSWORD_FILE: {
    ...readableFile,
    meaning: 'first line: that user’s password',
  },
  TELEGREP_SEARCH_CA_FILE: {
    ...readableFile,
    unset: 'unset: those the system trusts',
    meaning: 'CA certificates in PEM to verify the nodes with',
  },
  TELEGREP_SEARCH_SHARDS: {
    ...whole(1, 64),
    default: '1',
    meaning: 'primary shards of each week’s index, for weeks that begin after the change',
  },
  TELEGREP_SEARCH_REPLICAS: {
    default: 'auto',
    accepts: 'auto, or 0 to 8',
    schema: wordOr('auto', undefined, whole(0, 8).schema),
    meaning: 'copies of each shard; `auto`: one if there is a second node',
  },
  TELEGREP_CHANNELS: {
    accepts: 'a file of channel names, one per line',
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
    meaning: '`keep`: keep the text of posts that are deleted from then on',
  },
  TELEGREP_VERSIONS: {
    ...oneOf(['keep', 'hash']),
    default: 'keep',
    meaning:
      '`hash`: of versions replaced from then on, keep only date and hash; what was kept before stays',
  },
  TELEGREP_ARCHIVE_DAYS: {
    default: 'unlimited',
    accepts: 'days, at least 31, or unlimited',
    schema: wordOr('unlimited', null, digits.pipe(z.number().min(31))),
    meaning: 'older posts are dropped from the archive and not imported',
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
    meaning: 'number of proxies in front whose `X-Forwarded-For` is trusted',
  },
  TELEGREP_CONTACT: {
    accepts: 'an address, mail or web, up to 200 characters',
    schema: z.string().regex(/^[\x21-\x7e]{1,200}$/),
    meaning:
      'shown in `/meta` and `/.well-known/security.txt`, and sent to the platform in the User-Agent',
  },
  TELEGREP_REMOVAL_URL: {
    ...webAddress,
    meaning:
      'where removal can be requested; shown in `/meta` and sent to the platform in the User-Agent',
  },
  TELEGREP_TIMESTAMP_URL: {
    ...webAddress,
    meaning: 'a timestamp authority (RFC 3161) that is asked to stamp each package of evidence',
  },
  TELEGREP_BOT_TOKEN_FILE: {
    ...readableFile,
    meaning: 'first line: the token of the Telegram bot that watches write as',
  },
  TELEGREP_SMTP_URL: {
    accepts: 'smtp://user@host:587 or smtps://user@host:465, without a password',
    schema: z.string().refine(isMailUrl),
    meaning:
      'mail server for watches; `smtp` uses STARTTLS, except on this host itself. The sender is its user or, where that is no mail address, telegrep@ the host of `TELEGREP_PUBLIC_URL`',
  },
  TELEGREP_SMTP_PASSWORD_FILE: {
    ...readableFile,
    meaning: 'first line: that user’s password',
  },
  TELEGREP_SMTP_CA_FILE: {
    ...readableFile,
    unset: 'unset: those the system trusts',
    meaning: 'CA certificates in PEM to verify the mail server with',
  },
  TELEGREP_MEDIA: {
    default: 'link',
    accepts: MEDIA_MODES.join(', '),
    schema: z.enum(MEDIA_MODES),
    meaning:
      '`link`: pages have placeholders that link to the post. `show`: they load pictures and films from the platform’s own hosts. `keep`: pictures are kept beside the archive and served from here',
  },
  TELEGREP_MEDIA_BYTES: {
    default: '10GB',
    accepts: 'a number of bytes, also with kB, MB, GB or TB',
    schema: size,
    meaning:
      '`keep`: how much is kept in total; when it is reached, kept pictures stay and no more are fetched',
  },
  TELEGREP_MEDIA_FOLDER: {
    ...folder,
    unset: '`media` in `TELEGREP_DATA`',
    meaning: '`keep`: folder of the files; processes that share a store must share it, too',
  },
  TELEGREP_LOG: {
    default: 'info',
    accepts: LOG_LEVELS.join(', '),
    schema: z.enum(LOG_LEVELS),
    meaning: 'log level; JSON lines, or readable text on a terminal',
  },
  TELEGREP_KEY: {
    accepts: 'an API key',
    schema: z.string().regex(/^[\x21-\x7e]{1,256}$/),
    meaning: 'sent by query commands with `--url`, instead of `--key`',
  },
} satisfies Record<string, Variable>
