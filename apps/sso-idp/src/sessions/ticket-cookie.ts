/** Name of the cookie that carries a sign-in ticket. */
export const ticketCookie = 'rapporteur_sign_in';
