// What is told about every exchange with an endpoint, for metrics.

/** One HTTP exchange, told to whoever counts them. A batch is told once, under its first method. */
export interface RpcObservation {
  readonly endpoint: string;
  readonly method: string;
  readonly ms: number;
  readonly ok: boolean;
}

export interface RpcObserver {
  onRequest(observation: RpcObservation): void;
}
