import type { FaultStage } from './fault-stage.ts'

/** One thing that goes wrong while everything runs. What ended is started again, as an operator's supervisor would. */
export interface Fault {
  readonly name: string
  inflict(stage: FaultStage): Promise<void>
}
