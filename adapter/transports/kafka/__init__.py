"""The Kafka transport: a lane and a fenced producer for each assigned input partition."""
