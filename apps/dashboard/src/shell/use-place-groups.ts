// The places that this person may go to, and those of them that belong to the page at hand.
import { useLocation } from 'react-router';
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

/** Whether the page is for operators and of no merchant. An operator without a merchant has no other pages. */
export function useIsOperating(): boolean {
  const { pathname } = useLocation();
  const merchant = useMerchant();
  return usePerson().is_operator && (merchant === null || /^\/operator(?:\/|$)/.test(pathname));
}

/** The places of a merchant, or those of operators: never both, because a person looks at one after the other. */
export function usePlacesHere(): readonly PlaceGroup[] {
  const prefix = useIsOperating() ? '/operator' : '/m/';
  return usePlaceGroups().filter(({ places }) => places.some(({ path }) => path.startsWith(prefix)));
}
