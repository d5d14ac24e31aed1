// Asks an address every two seconds, until what it answers needs no more asking; a lost connection is tried again.
export function poll(address, hear) {
  const ask = async () => {
    let again = true;
    try {
      const answer = await fetch(address, { headers: { accept: "application/json" } });
      again = hear(await answer.json(), answer.ok);
    } catch {
      again = true;
    }
    if (again) setTimeout(ask, 2000);
  };
  setTimeout(ask, 2000);
}
