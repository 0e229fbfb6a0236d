// What the page asks of a site that may change while it is open, and that works without a network. Here its
// program serves it.

export const begin = async () => {};
export const keepOffline = () => {};
