// What metrics are given about every exchange with a provider.

/** One HTTP exchange. A batch is reported once, under its first method. */
export interface RpcObservation {
  readonly provider: string;
  readonly method: string;
  readonly ms: number;
  readonly ok: boolean;
}

export interface RpcObserver {
  onRequest(observation: RpcObservation): void;
}
