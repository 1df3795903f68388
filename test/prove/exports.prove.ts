/** Exports can be read by other programs and trusted: packages of evidence, tables and feeds. */
import { proveEvidence } from './evidence-flips.ts'
import { proveReaders } from './exports-read.ts'

console.log(await proveEvidence())
console.log(await proveReaders())
