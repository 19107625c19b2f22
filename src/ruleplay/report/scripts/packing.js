// Arrays come as compressed text; the first bytes of all numbers come first, then the second.

const ARRAYS = { f8: Float64Array, f4: Float32Array, i4: Int32Array, u1: Uint8Array };

/** Return the arrays of a pack by name. */
async function unpackArrays({ columns, data }) {
  const squeezed = Uint8Array.from(atob(data), (sign) => sign.charCodeAt(0));
  const stream = new Blob([squeezed]).stream().pipeThrough(new DecompressionStream("gzip"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  const arrays = {};
  let start = 0;
  for (const [name, kind, length] of columns) {
    const size = ARRAYS[kind].BYTES_PER_ELEMENT;
    arrays[name] = joinPlanes(bytes.subarray(start, start + size * length), kind, length);
    start += size * length;
  }
  return arrays;
}

function joinPlanes(planes, kind, length) {
  const array = new ARRAYS[kind](length);
  const [bytes, size] = [new Uint8Array(array.buffer), array.BYTES_PER_ELEMENT];
  for (let plane = 0; plane < size; plane++) {
    for (let i = 0; i < length; i++) bytes[i * size + plane] = planes[plane * length + i];
  }
  return array;
}
