// A person in a table: the name over the e-mail.
import { words } from '../../words/words.ts';
import styles from './team.module.css';

interface PersonNameProps {
  readonly name: string;
  readonly email: string;
  readonly isMe: boolean;
}

export function PersonName({ name, email, isMe }: PersonNameProps) {
  return (
    <span className={styles['person']}>
      <bdi className={styles['name']}>
        {name}
        {isMe && <span className={styles['you']}> · {words.team.you}</span>}
      </bdi>
      <bdi className={styles['email']}>{email}</bdi>
    </span>
  );
}
