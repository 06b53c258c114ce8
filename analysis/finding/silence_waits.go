package finding

func OrUnknownChannel(channel string) string {
	if channel == "" {
		return "an unknown function"
	}
	return channel
}
