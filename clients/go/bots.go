package rapporteur

import (
	"context"
	"fmt"
	"iter"
	"time"

	"rapporteur/client/api"
)

const usualPoll = 5 * time.Second

// Bots is the life of a bot. Every method returns an *Error for what the service refuses.
type Bots struct {
	api *api.ClientWithResponses
}

var errUnexpected = &Error{Code: "CLIENT_UNEXPECTED_RESPONSE", Message: "The response is not one of the contract."}

// Create sends a bot to a meeting now and returns its id.
func (b *Bots) Create(ctx context.Context, body api.CreateBot) (api.BotId, error) {
	response, err := b.api.CreateBotWithResponse(ctx, nil, body)
	if err != nil {
		return api.BotId{}, err
	}
	if response.JSON201 == nil {
		return api.BotId{}, errUnexpected
	}
	return response.JSON201.Data.BotId, nil
}

// Schedule sends a bot to a meeting at its JoinAt and returns its id.
func (b *Bots) Schedule(ctx context.Context, body api.ScheduleBot) (api.BotId, error) {
	response, err := b.api.ScheduleBotWithResponse(ctx, nil, body)
	if err != nil {
		return api.BotId{}, err
	}
	if response.JSON201 == nil {
		return api.BotId{}, errUnexpected
	}
	return response.JSON201.Data.BotId, nil
}

// Cancel cancels a bot that is scheduled.
func (b *Bots) Cancel(ctx context.Context, id api.BotId) error {
	_, err := b.api.DeleteScheduledBotWithResponse(ctx, id)
	return err
}

// Get returns the details of a bot.
func (b *Bots) Get(ctx context.Context, id api.BotId) (*api.BotDetails, error) {
	response, err := b.api.GetBotWithResponse(ctx, id)
	if err != nil {
		return nil, err
	}
	if response.JSON200 == nil {
		return nil, errUnexpected
	}
	return &response.JSON200.Data, nil
}

// Status returns the status of a bot.
func (b *Bots) Status(ctx context.Context, id api.BotId) (api.BotStatus, error) {
	response, err := b.api.GetBotStatusWithResponse(ctx, id)
	if err != nil {
		return "", err
	}
	if response.JSON200 == nil {
		return "", errUnexpected
	}
	return response.JSON200.Data.Status, nil
}

// List returns every bot that the filters admit, page by page.
func (b *Bots) List(ctx context.Context, filters api.ListBotsParams) iter.Seq2[api.BotListItem, error] {
	return func(yield func(api.BotListItem, error) bool) {
		for {
			response, err := b.api.ListBotsWithResponse(ctx, &filters)
			if err == nil && response.JSON200 == nil {
				err = errUnexpected
			}
			if err != nil {
				yield(api.BotListItem{}, err)
				return
			}
			for _, item := range response.JSON200.Data {
				if !yield(item, nil) {
					return
				}
			}
			if response.JSON200.Cursor == nil {
				return
			}
			filters.Cursor = response.JSON200.Cursor
		}
	}
}

// Leave lets a bot leave its meeting; what it recorded is kept.
func (b *Bots) Leave(ctx context.Context, id api.BotId) error {
	_, err := b.api.LeaveBotWithResponse(ctx, id, nil)
	return err
}

// WaitUntilDone waits until the bot is completed or failed, and returns its details. The context ends the wait.
func (b *Bots) WaitUntilDone(ctx context.Context, id api.BotId, poll time.Duration) (*api.BotDetails, error) {
	if poll <= 0 {
		poll = usualPoll
	}
	for {
		status, err := b.Status(ctx, id)
		if err != nil {
			return nil, err
		}
		if status == api.BotStatusCompleted || status == api.BotStatusFailed {
			return b.Get(ctx, id)
		}
		if err := wait(ctx, poll); err != nil {
			message := fmt.Sprintf("The bot did not end in time; its status is %s.", status)
			return nil, &Error{Code: "CLIENT_TIMEOUT", Message: message, cause: err}
		}
	}
}

// Transcript returns what was said. Without a transcript the error states why there is none.
func (b *Bots) Transcript(ctx context.Context, id api.BotId) (*api.Transcript, error) {
	response, err := b.api.GetBotTranscriptWithResponse(ctx, id, nil)
	if err != nil {
		return nil, err
	}
	if response.JSON200 == nil {
		return nil, errUnexpected
	}
	return &response.JSON200.Data, nil
}

// RenameSpeaker gives a speaker of the transcript another name; a nil Name restores the name in the meeting.
func (b *Bots) RenameSpeaker(ctx context.Context, id api.BotId, body api.RenameSpeaker) error {
	_, err := b.api.RenameSpeakerWithResponse(ctx, id, body)
	return err
}
