// The fields of a request, an answer or a webhook, each with its type, whether it has to be sent, and its limits.
import { type Html, html } from '../html/html.ts';
import { words } from './words.ts';

/** The part of a JSON schema that is shown. */
export interface SchemaView {
  readonly type?: string;
  readonly description?: string;
  readonly enum?: readonly (string | number)[];
  readonly const?: string | number;
  readonly properties?: Readonly<Record<string, SchemaView>>;
  readonly required?: readonly string[];
  readonly items?: SchemaView;
  readonly anyOf?: readonly SchemaView[];
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly 'x-expects'?: string;
}

/** A schema of the contract as plain JSON, without what the schema library keeps for itself. */
export function viewOf(schema: object): SchemaView {
  return JSON.parse(JSON.stringify(schema));
}

/** The list of a schema's fields. `prefix` keeps the anchors of a request apart from those of its answer. */
export function fieldList(schema: SchemaView, prefix: 'request' | 'answer' | 'body'): Html {
  const object = schema.type === 'array' ? (schema.items ?? {}) : schema;
  const rows = rowsOf(object, { prefix, path: '' });
  if (rows.length === 0) return html`<p>No fields: send an empty JSON object, or no body at all.</p>`;
  return html`${alternatives(object)}<ul class="fields">${rows}</ul>`;
}

interface Place {
  readonly prefix: string;
  readonly path: string;
}

function rowsOf(schema: SchemaView, { prefix, path }: Place): readonly Html[] {
  return Object.entries(schema.properties ?? {}).map(([name, field]) => {
    const id = `${prefix}-${path}${name}`;
    const inner = field.type === 'array' ? (field.items ?? {}) : field;
    const below = rowsOf(inner, { prefix, path: `${path}${name}.` });
    const isRequest = prefix === 'request';
    const mark = !isRequest
      ? html``
      : schema.required?.includes(name)
        ? html` <span class="required">required</span>`
        : html` <span class="optional">optional</span>`;
    return html`<li id="${id}"><p class="field"><a class="anchor" href="#${id}"><code>${name}</code></a> <span class="type">${typeOf(field)}</span>${mark}</p>
<p>${words(field.description ?? '')}</p>${limits(field, isRequest)}${below.length === 0 ? html`` : html`<ul class="fields">${below}</ul>`}</li>`;
  });
}

function typeOf(field: SchemaView): string {
  if (field.type === 'array') return `list of ${typeOf(field.items ?? {})}`;
  if (field.type !== undefined) return field.type;
  return typeof (field.const ?? field.enum?.[0]) === 'number' ? 'integer' : 'string';
}

/** A longer list of values is not shown. In a request, `x-expects` names the values instead. */
const MOST_VALUES = 10;

function limits(field: SchemaView, isRequest: boolean): Html {
  const expects = field['x-expects'];
  if (isRequest && expects !== undefined) return html`<p class="limits">Must be ${expects}.</p>`;
  const values = field.enum ?? (field.const === undefined ? [] : [field.const]);
  if (values.length === 0 || values.length > MOST_VALUES) return html``;
  const shown = values.map(
    (value, i) => html`${i === 0 ? '' : ', '}<code>${value === '' ? '""' : value}</code>`,
  );
  return html`<p class="limits">${values.length === 1 ? 'Always ' : 'One of '}${shown}.</p>`;
}

/** A sentence for schemas that need one of several sets of fields. */
function alternatives({ anyOf = [] }: SchemaView): Html {
  const sets = anyOf.map(({ required = [] }) => required).filter((names) => names.length > 0);
  if (sets.length === 0) return html``;
  const shown = sets.map((names, i) => {
    const codes = names.map((name, j) => html`${j === 0 ? '' : ' with '}<code>${name}</code>`);
    return html`${i === 0 ? '' : ', or '}${codes}`;
  });
  return html`<p>Besides the required fields it takes ${shown}.</p>`;
}
