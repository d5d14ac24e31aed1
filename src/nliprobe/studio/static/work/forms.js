// The fields of a form as one object, the same that a browser without scripts would send.
export function fieldsOf(form, submitter) {
  const fields = {};
  const data = submitter ? new FormData(form, submitter) : new FormData(form);
  for (const [name, value] of data) {
    if (typeof value !== "string") continue;
    if (!(name in fields)) fields[name] = value;
    else if (Array.isArray(fields[name])) fields[name].push(value);
    else fields[name] = [fields[name], value];
  }
  return fields;
}

// Scripts send what the frame of the page needs beside the fields of the answer.
export function bodyOf(form, submitter) {
  const { form_token, item, request, revise, seen, ...fields } = fieldsOf(form, submitter);
  return { item, request, seen, ...(revise ? { revise } : {}), fields };
}

export function post(address, body, options = {}) {
  const token = document.querySelector("meta[name=form-token]").content;
  return fetch(address, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json", "x-form-token": token },
    body: JSON.stringify(body),
    redirect: "error",
    ...options,
  });
}
