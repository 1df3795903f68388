import { describeService } from './describe-service.ts'

describeService('the whole service')
