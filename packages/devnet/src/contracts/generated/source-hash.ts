// Names the sources from which the artifacts beside it were compiled; do not edit.
export const sourceHash = 'bc155bf92913257a72eeb67013b24c0764dd0c762ac004dfb4b693ad7a4e6359';
