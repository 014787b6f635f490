// Escapes foreign text for use between tags and in attributes of HTML and SVG.

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
