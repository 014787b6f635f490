// Has the faucet of a demo pay. The faucet runs on the person's own machine and gives coins without worth.

export interface FaucetPayment {
  readonly currency_id: number;
  readonly to: string;
  readonly amount: string;
}

/** Throws where the faucet did not pay. */
export async function payByFaucet(faucetUrl: string, payment: FaucetPayment): Promise<void> {
  const response = await fetch(faucetUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    credentials: 'omit',
    body: JSON.stringify(payment),
  });
  if (!response.ok) throw new Error(`the faucet answered ${response.status}`);
}
