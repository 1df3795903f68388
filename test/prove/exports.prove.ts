/** What is taken home can be read by others and trusted: packages of evidence. */
import { proveEvidence } from './evidence-flips.ts'

console.log(await proveEvidence())
