import type { HttpEvents } from '../src/http/events.ts'

export const silentEvents: HttpEvents = {
  requestServed() {},
  requestFailed() {},
  requestRefused() {},
  requestShed() {},
}
