/** What is taken home can be read by others and trusted: packages of evidence, tables and feeds. */
import { proveEvidence } from './evidence-flips.ts'
import { proveReaders } from './exports-read.ts'

console.log(await proveEvidence())
console.log(await proveReaders())
