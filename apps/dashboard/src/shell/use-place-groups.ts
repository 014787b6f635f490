// The places that this person may go to.
import { useMay, useMerchant, usePerson } from '../api/session.ts';
import { merchantPlaces, operatorPlaces, type PlaceGroup } from './navigation.ts';

export function usePlaceGroups(): readonly PlaceGroup[] {
  const merchantId = useMerchant()?.merchant_id ?? null;
  const may = useMay(merchantId ?? '');
  const { is_operator: isOperator } = usePerson();
  const groups = merchantId === null ? [] : merchantPlaces(merchantId);
  return [...groups, ...(isOperator ? operatorPlaces() : [])].map((group) => ({
    ...group,
    places: group.places.filter(({ needs }) => needs === undefined || may(needs)),
  }));
}
