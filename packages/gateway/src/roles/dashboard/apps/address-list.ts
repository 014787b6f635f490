// The address list of an app: where its payouts may go, grown and cut by a merchant's own people.
import { MAX_LISTED_ADDRESSES, listAddresses } from '../../../db/tables/payouts/payout-addresses.ts';
import { readSettings } from '../../../db/tables/payouts/payout-settings.ts';
import { changeAddressList } from '../../../flows/payouts/change-address-list.ts';
import { answer, type Handler, refusal, unknown } from '../call.ts';
import { mailAdministrators } from '../notices/mail-notice.ts';
import { seconds } from '../texts.ts';
import { findOwnApp } from './own-app.ts';

export const handleAddressList: Handler<'address-list.list'> = async (call, { app_id: appId }) => {
  const { reader, deps } = call;
  const app = await findOwnApp(call, appId);
  const settings = await readSettings(reader, appId);
  if (app === null || settings === null) return unknown('app');
  const listed = await listAddresses(reader, appId, MAX_LISTED_ADDRESSES);
  return answer({
    addresses: listed.map(({ family, address, label, addedBy, addedAtMs }) => {
      // Rows are written only for these two families.
      const known = family === 'tron' ? 'tron' : 'evm';
      return {
        family: known,
        address: deps.addressSchemes[known].display(address),
        label,
        added_by: addedBy,
        added_at: seconds(addedAtMs),
        usable_from: Math.ceil(addedAtMs / 1000) + settings.coolingS,
      };
    }),
  });
};

export const handleAddressAdd: Handler<'address-list.add'> = async (call, request) => {
  const { deps, nowMs, reader, session } = call;
  const { app_id: appId, family, label } = request;
  const settings = await readSettings(reader, appId);
  const app = await findOwnApp(call, appId);
  if (app === null || settings === null) return unknown('app');
  const address = deps.addressSchemes[family].canonical(request.address);
  if (address === null)
    return refusal('field-invalid', `is not an address of the family ${family}`, { field: 'address' });
  if ((await listAddresses(reader, appId, MAX_LISTED_ADDRESSES)).length >= MAX_LISTED_ADDRESSES)
    return refusal('conflict', `a list holds ${MAX_LISTED_ADDRESSES} addresses at most`);
  const listed = { family, address, label, addedBy: session.person.email, addedAtMs: nowMs };
  const outcome = await deps.transact(async (tx) => {
    const made = await changeAddressList(tx, appId, { add: listed });
    if (made.outcome === 'changed') {
      await mailAdministrators(tx, call, 'payout-rules-changed', app.name);
      await call.record(tx, { subject: appId, detail: `${family} ${address} ${label}` });
    }
    return made.outcome;
  });
  if (outcome !== 'changed') return refusal('changed', 'the address is on the list already');
  return answer({ usable_from: Math.ceil(nowMs / 1000) + settings.coolingS });
};

export const handleAddressRemove: Handler<'address-list.remove'> = async (call, request) => {
  const { deps } = call;
  const { app_id: appId, family } = request;
  const address = deps.addressSchemes[family].canonical(request.address);
  const app = await findOwnApp(call, appId);
  if (app === null || address === null) return unknown('address');
  const outcome = await deps.transact(async (tx) => {
    const made = await changeAddressList(tx, appId, { remove: { family, address } });
    if (made.outcome === 'changed') {
      await mailAdministrators(tx, call, 'payout-rules-changed', app.name);
      await call.record(tx, { subject: appId, detail: `${family} ${address}` });
    }
    return made.outcome;
  });
  return outcome === 'changed' ? answer({}) : unknown('address');
};
