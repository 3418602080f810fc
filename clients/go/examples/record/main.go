// Records a meeting and prints what was said: go run ./examples/record MEETING_URL
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	rapporteur "rapporteur/client"
	"rapporteur/client/api"
)

func main() {
	if err := record(context.Background(), os.Args[1]); err != nil {
		var refusal *rapporteur.Error
		if errors.As(err, &refusal) {
			fmt.Println(refusal.Code, refusal.StatusCode)
		}
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func record(ctx context.Context, meeting string) error {
	client, err := rapporteur.New(os.Getenv("RAPPORTEUR_API_URL"), os.Getenv("RAPPORTEUR_API_KEY"), rapporteur.Options{})
	if err != nil {
		return err
	}
	transcribe := true
	id, err := client.Bots.Create(ctx, api.CreateBot{BotName: "Recorder", MeetingUrl: meeting, TranscriptionEnabled: &transcribe})
	if err != nil {
		return err
	}
	bot, err := client.Bots.WaitUntilDone(ctx, id, 2*time.Second)
	if err != nil {
		return err
	}
	fmt.Println(bot.Status)
	transcript, err := client.Bots.Transcript(ctx, id)
	if err != nil {
		return err
	}
	for _, utterance := range transcript.Utterances {
		fmt.Printf("%.0f %s: %s\n", utterance.Start, utterance.Speaker, utterance.Text)
	}
	return nil
}
