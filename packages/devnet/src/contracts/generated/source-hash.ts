// Tells from which sources the artifacts beside it were compiled; do not edit.
export const sourceHash = '16311ac06bf86e1855cfb2286471c91cf8b8713d0536cb15ad4ae615cc82fe58';
