// A QR code as one path, dark on white in every theme.
import { encode } from 'uqr';

interface QrImageProps {
  readonly text: string;
  readonly label: string;
  readonly size: number;
}

export function QrImage({ text, label, size }: QrImageProps) {
  const { data, size: modules } = encode(text, { border: 0 });
  const path = data
    .flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : [])))
    .join('');
  return (
    <svg
      role="img"
      aria-label={label}
      width={size}
      height={size}
      viewBox={`0 0 ${modules} ${modules}`}
      shapeRendering="crispEdges"
    >
      <path fill="#fff" d={`M0 0h${modules}v${modules}H0z`} />
      <path fill="#12161d" d={path} />
    </svg>
  );
}
