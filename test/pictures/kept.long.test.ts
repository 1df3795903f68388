import { describeKept } from './describe-kept.ts'

describeKept('kept pictures, all in files')
