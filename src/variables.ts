import * as z from 'zod'
import { MEDIA_MODES } from './model/picture.ts'
import { LOG_LEVELS } from './observe/log.ts'
import {
  digits,
  host,
  isDatabaseUrl,
  isMailUrl,
  nodes,
  onOff,
  origin,
  port,
  readableFile,
  size,
  SIZES,
  webAddress,
} from './variable-values.ts'

/** A variable of the environment. */
interface Variable {
  /** What the documentation shows. */
  readonly default: string
  readonly accepts: string
  readonly meaning: string
  readonly schema: z.ZodType
}

/** The one table of variables; `docs/configuration.md` is held equal to it. */
export const VARIABLES = {
  TELEGREP_HOST: {
    default: '127.0.0.1',
    accepts: 'an address or host name',
    meaning: 'address to listen on',
    schema: host.default('127.0.0.1'),
  },
  TELEGREP_PORT: {
    default: '8080',
    accepts: 'a port, 0 to 65535 (0: any free one)',
    meaning: 'port to listen on',
    schema: port.default(8080),
  },
  TELEGREP_PUBLIC_URL: {
    default: 'from host and port',
    accepts: 'an http or https origin without a path',
    meaning: 'base of absolute links',
    schema: origin.optional(),
  },
  TELEGREP_ADMIN_HOST: {
    default: '127.0.0.1',
    accepts: 'an address or host name',
    meaning: 'address of the admin listener',
    schema: host.default('127.0.0.1'),
  },
  TELEGREP_ADMIN_PORT: {
    default: 'off',
    accepts: 'a port, or off',
    meaning: 'port of the admin listener, which serves `/metrics`',
    schema: z.union([z.literal('off').transform(() => null), port]).default(null),
  },
  TELEGREP_DATA: {
    default: './data',
    accepts: 'a folder that exists or can be made',
    meaning: 'store and index, as far as they are in files, and the secret',
    schema: z.string().min(1).default('./data'),
  },
  TELEGREP_SECRET: {
    default: 'made once in `TELEGREP_DATA`, mode 0600; needed with `TELEGREP_DATABASE_URL`',
    accepts: 'at least 16 characters',
    meaning: 'signs cursors, peppers keys',
    schema: z.string().min(16).optional(),
  },
  TELEGREP_SOURCE_URL: {
    default: 'https://t.me',
    accepts: 'an http or https origin without a path',
    meaning: 'where channels are read from',
    schema: origin.default('https://t.me'),
  },
  TELEGREP_DATABASE_URL: {
    default: 'unset: SQLite in `TELEGREP_DATA`',
    accepts:
      'postgres://user@host:port/database, perhaps with ?sslmode=require or verify-full and schema=name',
    meaning: 'a PostgreSQL to keep the archive in; its schema is `telegrep` unless named',
    schema: z.string().refine(isDatabaseUrl).optional(),
  },
  TELEGREP_DATABASE_PASSWORD_FILE: {
    default: 'unset: the one in the URL',
    accepts: 'a file that can be read',
    meaning: 'its first line is the password of the database’s user',
    schema: readableFile.optional(),
  },
  TELEGREP_DATABASE_CA_FILE: {
    default: 'unset',
    accepts: 'a file that can be read',
    meaning: 'certificates in PEM that the database’s must be signed by; asks for TLS',
    schema: readableFile.optional(),
  },
  TELEGREP_SEARCH_URL: {
    default: 'unset: embedded index in `TELEGREP_DATA`',
    accepts: 'http(s)://host:port[,host:port], without user and password',
    meaning: 'nodes of an OpenSearch to keep the index in',
    schema: nodes.optional(),
  },
  TELEGREP_SEARCH_PREFIX: {
    default: 'telegrep',
    accepts: 'small letters, digits, - and _, up to 60, a letter first',
    meaning: 'what the names of all indices in that OpenSearch begin with',
    schema: z
      .string()
      .regex(/^[a-z][a-z0-9_-]{0,59}$/)
      .default('telegrep'),
  },
  TELEGREP_SEARCH_USER: {
    default: 'unset',
    accepts: 'a name without colons',
    meaning: 'user of that OpenSearch',
    schema: z
      .string()
      .regex(/^[^:\s]{1,200}$/)
      .optional(),
  },
  TELEGREP_SEARCH_PASSWORD_FILE: {
    default: 'unset',
    accepts: 'a file that can be read',
    meaning: 'its first line is that user’s password',
    schema: readableFile.optional(),
  },
  TELEGREP_SEARCH_CA_FILE: {
    default: 'unset: those the system trusts',
    accepts: 'a file that can be read',
    meaning: 'certificates in PEM that the nodes’ must be signed by',
    schema: readableFile.optional(),
  },
  TELEGREP_SEARCH_SHARDS: {
    default: '1',
    accepts: '1 to 64',
    meaning: 'primary shards of a week’s index, for weeks that begin from now on',
    schema: digits.pipe(z.number().min(1).max(64)).default(1),
  },
  TELEGREP_SEARCH_REPLICAS: {
    default: 'auto',
    accepts: 'auto, or 0 to 8',
    meaning: 'copies of each shard; `auto`: one where there is a second node',
    schema: z
      .union([z.literal('auto').transform(() => undefined), digits.pipe(z.number().max(8))])
      .optional(),
  },
  TELEGREP_CHANNELS: {
    default: 'unset',
    accepts: 'a file of channel names, one a line',
    meaning: 'channels to index from the start',
    schema: z.string().min(1).optional(),
  },
  TELEGREP_CRAWL_RATE: {
    default: '1',
    accepts: 'requests per second, 0.1 to 1000',
    meaning:
      'at most rate + 3 requests in any second and rate × 60 in any minute, over all processes and restarts',
    schema: z
      .string()
      .regex(/^\d{1,4}(\.\d{1,6})?$/)
      .transform(Number)
      .pipe(z.number().min(0.1).max(1000))
      .default(1),
  },
  TELEGREP_CRAWL_CONCURRENCY: {
    default: '4',
    accepts: '1 to 64',
    meaning: 'channels read at the same time',
    schema: digits.pipe(z.number().min(1).max(64)).default(4),
  },
  TELEGREP_AUTO_INDEX: {
    default: 'off',
    accepts: 'off, live or discover',
    meaning:
      '`live`: index channels read by `/live`; `discover`: also those found in forwards and mentions',
    schema: z.enum(['off', 'live', 'discover']).default('off'),
  },
  TELEGREP_DELETED: {
    default: 'redact',
    accepts: 'redact or keep',
    meaning: '`keep`: the text of deleted posts stays',
    schema: z.enum(['redact', 'keep']).default('redact'),
  },
  TELEGREP_VERSIONS: {
    default: 'keep',
    accepts: 'keep or hash',
    meaning: '`hash`: earlier versions as dates and hashes only',
    schema: z.enum(['keep', 'hash']).default('keep'),
  },
  TELEGREP_ARCHIVE_DAYS: {
    default: 'unlimited',
    accepts: 'days, at least 31, or unlimited',
    meaning: 'older posts are dropped from the archive, and not taken in',
    schema: z
      .union([z.literal('unlimited').transform(() => null), digits.pipe(z.number().min(31))])
      .default(null),
  },
  TELEGREP_TIERS: {
    default: 'built-in',
    accepts: 'a JSON file',
    meaning: 'tiers and their policies',
    schema: z.string().min(1).optional(),
  },
  TELEGREP_ANONYMOUS: {
    default: 'on',
    accepts: 'on or off',
    meaning: '`off`: a key is required',
    schema: onOff.default(true),
  },
  TELEGREP_TRUST_PROXY: {
    default: 'off',
    accepts: 'off, or 1 to 16 hops',
    meaning: 'hops whose `X-Forwarded-For` is believed',
    schema: z
      .union([z.literal('off').transform(() => 0), digits.pipe(z.number().min(1).max(16))])
      .default(0),
  },
  TELEGREP_CONTACT: {
    default: 'unset',
    accepts: 'an address, mail or web, up to 200 characters',
    meaning:
      'told in `/meta`, in `/.well-known/security.txt` and to the platform in the User-Agent',
    schema: z
      .string()
      .regex(/^[\x21-\x7e]{1,200}$/)
      .optional(),
  },
  TELEGREP_REMOVAL_URL: {
    default: 'unset',
    accepts: 'an http or https address',
    meaning:
      'where removal can be asked for; told in `/meta` and to the platform in the User-Agent',
    schema: webAddress.optional(),
  },
  TELEGREP_CONTENT_USAGE: {
    default: 'train-ai=n',
    accepts: 'preferences of the AIPREF vocabulary, such as `train-ai=n, search=y`; off',
    meaning: 'how posts may be used by machines, sent as `Content-Usage` and told in `/robots.txt`',
    schema: z
      .string()
      .regex(/^(?:off|[a-z*][a-z0-9_.*-]*=[yn](?:, ?[a-z*][a-z0-9_.*-]*=[yn]){0,9})$/)
      .default('train-ai=n'),
  },
  TELEGREP_EVIDENCE_KEY: {
    default: '1',
    accepts: 'a number, 1 to 100',
    meaning:
      'which of the keys made from the secret signs evidence; raise it to change the key, earlier ones stay published',
    schema: digits.pipe(z.number().min(1).max(100)).default(1),
  },
  TELEGREP_TIMESTAMP_URL: {
    default: 'unset',
    accepts: 'an http or https address',
    meaning: 'a timestamp authority (RFC 3161) that is asked to stamp each package of evidence',
    schema: webAddress.optional(),
  },
  TELEGREP_BOT_TOKEN_FILE: {
    default: 'unset',
    accepts: 'a file that can be read',
    meaning: 'its first line is the token of the Telegram bot that watches write as',
    schema: readableFile.optional(),
  },
  TELEGREP_BOT_URL: {
    default: 'https://api.telegram.org',
    accepts: 'an http or https origin without a path',
    meaning: 'where the Bot API is',
    schema: origin.default('https://api.telegram.org'),
  },
  TELEGREP_SMTP_URL: {
    default: 'unset',
    accepts: 'smtp://user@host:587 or smtps://user@host:465, without a password',
    meaning:
      'a server that sends the mails of watches; `smtp` goes over STARTTLS, but to this host itself',
    schema: z.string().refine(isMailUrl).optional(),
  },
  TELEGREP_SMTP_PASSWORD_FILE: {
    default: 'unset',
    accepts: 'a file that can be read',
    meaning: 'its first line is that user’s password',
    schema: readableFile.optional(),
  },
  TELEGREP_SMTP_CA_FILE: {
    default: 'unset: those the system trusts',
    accepts: 'a file that can be read',
    meaning: 'certificates in PEM that the mail server’s must be signed by',
    schema: readableFile.optional(),
  },
  TELEGREP_SMTP_FROM: {
    default: 'telegrep@ the host of `TELEGREP_PUBLIC_URL`',
    accepts: 'a mail address',
    meaning: 'whom the mails of watches are from',
    schema: z
      .string()
      .regex(/^[^\s@<>,;"]{1,64}@[^\s@<>,;"]{1,250}$/)
      .optional(),
  },
  TELEGREP_MEDIA: {
    default: 'link',
    accepts: MEDIA_MODES.join(', '),
    meaning:
      '`link`: pages have placeholders that link to the post. `show`: they load pictures and films from the platform’s own hosts. `keep`: pictures are kept beside the archive and served from here',
    schema: z.enum(MEDIA_MODES).default('link'),
  },
  TELEGREP_MEDIA_BYTES: {
    default: '10GB',
    accepts: SIZES,
    meaning: '`keep`: as much is kept in all; what is kept stays, and nothing more is fetched',
    schema: size.default(10e9),
  },
  TELEGREP_MEDIA_DAY_BYTES: {
    default: '500MB',
    accepts: SIZES,
    meaning: '`keep`: as much is fetched in a day (UTC)',
    schema: size.default(500e6),
  },
  TELEGREP_MEDIA_PICTURE_BYTES: {
    default: '2MB',
    accepts: `${SIZES}, at most 50MB`,
    meaning: '`keep`: larger pictures are left out',
    schema: size.pipe(z.number().max(50e6)).default(2e6),
  },
  TELEGREP_MEDIA_FOLDER: {
    default: '`media` in `TELEGREP_DATA`',
    accepts: 'a folder that exists or can be made',
    meaning: '`keep`: where the files are; processes that share a store share it, too',
    schema: z.string().min(1).optional(),
  },
  TELEGREP_MEDIA_URL: {
    default: 'unset: the platform’s own hosts',
    accepts: 'an http or https origin without a path',
    meaning: '`keep`: asked in place of those hosts, by the same paths',
    schema: origin.optional(),
  },
  TELEGREP_LOG: {
    default: 'info',
    accepts: LOG_LEVELS.join(', '),
    meaning: 'JSON lines, or a human form on a terminal',
    schema: z.enum(LOG_LEVELS).default('info'),
  },
  TELEGREP_KEY: {
    default: 'unset',
    accepts: 'an API key',
    meaning: 'sent by query commands with `--url`, in place of `--key`',
    schema: z
      .string()
      .regex(/^[\x21-\x7e]{1,256}$/)
      .optional(),
  },
} satisfies Record<string, Variable>
