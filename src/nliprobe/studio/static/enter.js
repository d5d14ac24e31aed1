// The token stands after the # of the owner's link: it is moved into the form, and out of the address and its history.
const token = decodeURIComponent(location.hash.slice(1));
if (token) {
  history.replaceState(null, "", location.pathname);
  document.getElementById("token").value = token;
  document.getElementById("enter").requestSubmit();
}
