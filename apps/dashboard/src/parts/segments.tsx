// A choice between few things, all of them visible.
import styles from './segments.module.css';

interface SegmentsProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly options: readonly (readonly [value: Value, text: string])[];
  readonly onPick: (value: Value) => void;
}

export function Segments<Value extends string>({ label, value, options, onPick }: SegmentsProps<Value>) {
  return (
    <div className={styles['segments']} role="group" aria-label={label}>
      {options.map(([option, text]) => (
        <button key={option} type="button" aria-pressed={option === value} onClick={() => onPick(option)}>
          {text}
        </button>
      ))}
    </div>
  );
}
