// The fields of a request, an answer or a webhook as a table, read from their schema.
import { type Html, html } from './html.ts';

/** The part of a JSON schema that is shown. */
export interface SchemaView {
  readonly type?: string;
  readonly description?: string;
  readonly enum?: readonly (string | number)[];
  readonly const?: string | number;
  readonly properties?: Readonly<Record<string, SchemaView>>;
  readonly required?: readonly string[];
  readonly items?: SchemaView;
  readonly 'x-expects'?: string;
}

/** A schema of the contract as plain JSON, without what the schema library keeps for itself. */
export function viewOf(schema: object): SchemaView {
  return JSON.parse(JSON.stringify(schema));
}

/** One row per field, those of inner objects after their own; `marksRequired` tells which a request must have. */
export function fieldsTable(schema: SchemaView, marksRequired: boolean): Html {
  const rows = rowsOf(schema.type === 'array' ? (schema.items ?? {}) : schema, '', marksRequired);
  if (rows.length === 0) return html`<p>No fields: send an empty JSON object.</p>`;
  return html`<table><thead><tr><th scope="col">Field</th><th scope="col">Type</th><th scope="col">Meaning</th></tr></thead><tbody>${rows}</tbody></table>`;
}

function rowsOf(schema: SchemaView, prefix: string, marksRequired: boolean): readonly Html[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const mark =
      marksRequired && schema.required?.includes(name)
        ? html`<span class="required">required</span>`
        : html``;
    const row = html`<tr><td><code>${prefix}${name}</code>${mark}</td><td><span class="type">${typeOf(field)}</span></td><td>${meaningOf(field, marksRequired)}</td></tr>`;
    return [row, ...rowsOf(field, `${prefix}${name}.`, false)];
  });
}

function typeOf(field: SchemaView): string {
  if (field.type !== undefined) return field.type;
  return typeof (field.const ?? field.enum?.[0]) === 'number' ? 'integer' : 'string';
}

function meaningOf(field: SchemaView, isRequest: boolean): string {
  const said = field.description ?? '';
  if (isRequest && field['x-expects'] !== undefined) return `${said} Must be ${field['x-expects']}.`;
  const values = field.enum ?? (field.const === undefined ? [] : [field.const]);
  const shown = values.map((value) => (value === '' ? 'the empty string' : String(value)));
  return shown.length === 0 || shown.length > 10 ? said : `${said} One of: ${shown.join(', ')}.`;
}
