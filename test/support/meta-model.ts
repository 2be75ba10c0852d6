export const base = (name: string): object => ({ kind: "base", name });

export const reference = (name: string): object => ({ kind: "reference", name });
