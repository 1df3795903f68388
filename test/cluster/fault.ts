import type { FaultStage } from './fault-stage.ts'

/** One thing that goes wrong while everything runs, and what an operator's machinery does about it: start again what ended. */
export interface Fault {
  readonly name: string
  inflict(stage: FaultStage): Promise<void>
}
