"""A receiver of webhooks (pip install fastapi uvicorn): WEBHOOK_SECRET=whsec_… uvicorn webhook_receiver:app"""

import os

from fastapi import FastAPI, HTTPException, Request

from rapporteur import WebhookVerificationError, verify_webhook

app = FastAPI()
known: set[str] = set()


@app.post("/webhooks")
async def receive(request: Request) -> dict[str, bool]:
    try:
        event = verify_webhook(await request.body(), request.headers, os.environ["WEBHOOK_SECRET"])
    except WebhookVerificationError as error:
        raise HTTPException(status_code=400, detail=str(error)) from error
    if request.headers["webhook-id"] not in known:
        known.add(request.headers["webhook-id"])
        print(event["event"], event["data"].get("bot_id"))
    return {"received": True}
