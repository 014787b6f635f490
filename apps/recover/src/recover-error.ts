// Trouble that the person at the terminal can do something about; its message carries no secret.

export class RecoverError extends Error {
  override readonly name = 'RecoverError';
}
