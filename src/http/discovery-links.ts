import type { Settings } from '../operations/context.ts'

/** Sent with every reply of the API: where its description is (RFC 8631), and what to read first. */
export function discoveryLinks({ publicUrl }: Settings): string {
  return `<${publicUrl}/v1/openapi.json>; rel="service-desc", <${publicUrl}/llms.txt>; rel="describedby"`
}
