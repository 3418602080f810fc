import type { Router } from 'express';
import type { InternalAuth } from '@rapporteur/service-runtime';
import { admitBot } from './admit-bot.ts';
import type { AdmissionDependencies } from './admit-bot.ts';
import { createBotBody } from '../schema/create-bot-body.ts';
import { creationRoutes } from './creation.routes.ts';

/** Bots that join immediately, below `/internal/v2/bots`. */
export function admissionRoutes(auth: InternalAuth, dependencies: AdmissionDependencies): Router {
  return creationRoutes(auth, {
    root: '/internal/v2/bots',
    body: createBotBody,
    create: (place, body) => admitBot(dependencies, place, body),
    withoutLogin: 'No login is free; the bot joins anonymously.',
  });
}
