// The first of java-tron's JSON rules, for answers that are no protobuf message here: zero is absent.

export function withoutZeros(values: Readonly<Record<string, bigint>>): Record<string, bigint> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== 0n));
}
