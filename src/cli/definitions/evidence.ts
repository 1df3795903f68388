import type { Command } from '../command.ts'

/** Commands for people who have to prove what was said. */

export const evidence: Command = {
  name: 'evidence',
  summary: 'write a signed package of each post, to keep or hand on',
  operands: '<channel>/<post…>',
  data: 'needed',
  flags: {
    output: {
      value: '<file>',
      meaning: 'where to write it (<channel>-<post>-evidence.zip); of one post',
    },
  },
  variables: ['public-url'],
  examples: {
    'telegrep evidence durov/342':
      'a ZIP with the post, versions, captures, hashes and a page to read',
    'telegrep evidence durov/342 https://t.me/durov/343': 'several posts, each in its own file',
  },
  run: async (call) => (await import('../commands/evidence.ts')).evidence(call),
}

export const verify: Command = {
  name: 'verify',
  summary: 'check packages of evidence; needs no server and no data',
  operands: '<file…>',
  data: 'untouched',
  flags: {
    key: {
      value: '<file or address>',
      meaning: 'the archive’s published keys, or the address of the archive to ask for them',
    },
    'trust-embedded': {
      meaning: 'trust the key inside the file: proves that it is intact, not whose it is',
    },
  },
  examples: {
    'telegrep verify durov-342-evidence.zip --key https://telegrep.example':
      'exits with 1 if a byte was changed, and says where',
    'telegrep verify durov-342-evidence.zip --key keys.json':
      'without any network; keys.json is /.well-known/telegrep-key.json of the archive',
  },
  run: async (call) => (await import('../commands/verify.ts')).verify(call),
}
