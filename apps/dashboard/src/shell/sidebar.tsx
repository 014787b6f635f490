// What the sidebar and the drawer hold: the merchant, the search, the places, the person.
import { NavLink, useNavigate } from 'react-router';
import {
  BookOpen,
  ChevronsUpDown,
  FlaskConical,
  Keyboard,
  Languages,
  LogOut,
  Monitor,
  Moon,
  Search,
  Sun,
  UserRound,
} from 'lucide-react';
import { useState } from 'react';
import { useMerchant, usePerson, useSession } from '../api/session.ts';
import { useSignOut } from '../api/sign-out.ts';
import { classNames } from '../parts/class-names.ts';
import { Menu, MenuItem, MenuLabel, MenuSeparator } from '../parts/menu.tsx';
import { words } from '../words/words.ts';
import { commandKey, openKeys } from './keys-dialog.tsx';
import { LanguageDialog } from './language-dialog.tsx';
import { openPalette } from './palette/palette-opener.tsx';
import styles from './shell.module.css';
import { applyTheme, chosenTheme, type Theme } from './theme.ts';
import { useIsOperating, usePlacesHere } from './use-place-groups.ts';

export function SidebarContent() {
  const { data: session } = useSession();
  return (
    <>
      <Switcher />
      <button type="button" className={styles['find']} onClick={openPalette}>
        <Search size={16} aria-hidden />
        <span>{words.shell.find}</span>
        <kbd>{`${commandKey} K`}</kbd>
      </button>
      <nav className={styles['nav']} aria-label={words.shell.menu}>
        <Places />
        {session !== undefined && (
          <a href={session.docs_url} target="_blank" rel="noreferrer" className={styles['link']}>
            <BookOpen size={16} aria-hidden />
            {words.places.docs}
          </a>
        )}
      </nav>
      {session?.demo === true && (
        <p className={styles['demo']}>
          <FlaskConical size={14} aria-hidden />
          {words.shell.demo}
        </p>
      )}
      <Me />
    </>
  );
}

function Places() {
  return usePlacesHere().map(({ name, places }) => (
    <div key={name ?? ''} className={styles['group']}>
      {name !== null && <h2>{name}</h2>}
      {places.map(({ path, name: label, icon: Icon }) => (
        <NavLink
          key={path}
          to={path}
          className={classNames(styles['link'])}
          end={/^\/(?:m\/[^/]+|operator)$/.test(path)}
        >
          <Icon size={16} aria-hidden />
          {label}
        </NavLink>
      ))}
    </div>
  ));
}

function Switcher() {
  const current = useMerchant();
  const { memberships, is_operator: isOperator } = usePerson();
  const navigate = useNavigate();
  const isOperating = useIsOperating();
  const name = isOperating ? words.shell.operatorHome : (current?.merchant_name ?? words.product);
  return (
    <Menu
      align="start"
      trigger={
        <button type="button" className={styles['switcher']}>
          <span className={styles['initial']} aria-hidden>
            {Array.from(name)[0]?.toUpperCase()}
          </span>
          <bdi className={styles['name']}>{name}</bdi>
          <ChevronsUpDown size={14} aria-hidden />
        </button>
      }
    >
      {isOperator && (
        <MenuItem checked={isOperating} onSelect={() => void navigate('/operator')}>
          {words.shell.operatorHome}
        </MenuItem>
      )}
      {memberships.length > 0 && <MenuLabel>{words.shell.merchants}</MenuLabel>}
      {memberships.map((each) => (
        <MenuItem
          key={each.merchant_id}
          checked={!isOperating && each.merchant_id === current?.merchant_id}
          onSelect={() => void navigate(`/m/${each.merchant_id}`)}
        >
          <bdi>{each.merchant_name}</bdi>
        </MenuItem>
      ))}
    </Menu>
  );
}

const themes = [
  ['system', Monitor],
  ['light', Sun],
  ['dark', Moon],
] as const;

function Me() {
  const person = usePerson();
  const navigate = useNavigate();
  const signOut = useSignOut();
  const [isChoosing, setChoosing] = useState(false);
  return (
    <>
      <Menu
        align="start"
        side="top"
        trigger={
          <button type="button" className={styles['me']}>
            <span className={classNames(styles['initial'], styles['person'])} aria-hidden>
              {Array.from(person.name)[0]?.toUpperCase()}
            </span>
            <bdi className={styles['name']}>{person.name}</bdi>
            <ChevronsUpDown size={14} aria-hidden />
          </button>
        }
      >
        <MenuLabel>{person.email}</MenuLabel>
        <MenuItem icon={<UserRound size={16} aria-hidden />} onSelect={() => void navigate('/account')}>
          {words.places.account}
        </MenuItem>
        <MenuSeparator />
        <ThemeItems />
        <MenuItem icon={<Languages size={16} aria-hidden />} onSelect={() => setChoosing(true)}>
          {words.shell.language}
        </MenuItem>
        <MenuItem icon={<Keyboard size={16} aria-hidden />} onSelect={openKeys}>
          {words.shell.keys.title}
        </MenuItem>
        <MenuSeparator />
        <MenuItem icon={<LogOut size={16} aria-hidden />} onSelect={() => signOut.mutate()}>
          {words.shell.signOut}
        </MenuItem>
      </Menu>
      {isChoosing && <LanguageDialog onClose={() => setChoosing(false)} />}
    </>
  );
}

function ThemeItems() {
  const [theme, setTheme] = useState<Theme>(chosenTheme);
  return (
    <>
      <MenuLabel>{words.shell.theme}</MenuLabel>
      {themes.map(([name, Icon]) => (
        <MenuItem
          key={name}
          icon={<Icon size={16} aria-hidden />}
          checked={theme === name}
          onSelect={() => {
            applyTheme(name);
            setTheme(name);
          }}
        >
          {words.shell.themes[name]}
        </MenuItem>
      ))}
    </>
  );
}
