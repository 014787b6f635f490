// Tells from which sources the artifacts beside it were compiled; do not edit.
export const sourceHash = '7d6b936c032829b176eb62a2d6ecdd3bce888f0f8000849152a79ab47afd04c1';
