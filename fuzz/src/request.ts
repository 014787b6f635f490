// Generated requests: an operation, a body and perhaps a fault in the head.
import fc, { type Arbitrary } from 'fast-check';
import { type Body, hostileBodies, nearlyValidBodies, validBodies } from './bodies.ts';
import { type HeadFault, headFaults } from './head-faults.ts';
import type { Operation } from './operation.ts';
import type { Known } from './schema-values.ts';

export interface FuzzRequest {
  readonly operation: Operation;
  readonly body: Body;
  /** What is wrong with the head; null for a request that is signed and addressed rightly. */
  readonly fault: HeadFault | null;
  /** Whether the request is sent twice. The second answer must name the same order as the first. */
  readonly isRepeated: boolean;
}

/** Requests to all operations, in the mix that finds most. Many are valid, because valid ones reach furthest. */
export function fuzzRequests(operations: readonly Operation[], known: Known): Arbitrary<FuzzRequest> {
  // One arbitrary for each operation, built once. `chain` would build them again for every request.
  return fc.oneof(...operations.map((operation) => requestsTo(operation, known)));
}

function requestsTo(operation: Operation, known: Known): Arbitrary<FuzzRequest> {
  return fc.record({
    operation: fc.constant(operation),
    body: fc.oneof(
      { arbitrary: validBodies(operation, known), weight: 4 },
      { arbitrary: nearlyValidBodies(operation, known), weight: 4 },
      { arbitrary: hostileBodies(operation), weight: 2 },
    ),
    fault: fc.oneof({ arbitrary: fc.constant(null), weight: 4 }, headFaults),
    isRepeated: fc.nat({ max: 9 }).map((one) => one === 0),
  });
}
