// Reads an address for webhooks as the API takes it.
import { InvalidArgumentError } from 'commander';
import { isWebhookAddress } from '@ducat/contract/fields/web-address';

/** Returns the text unchanged. Throws commander's error where no webhook could be sent to the address. */
export function webhookAddress(text: string): string {
  if (!isWebhookAddress(text)) {
    throw new InvalidArgumentError(
      'an absolute http or https address on port 80, 443 or from 1024 on, without user info',
    );
  }
  return text;
}
