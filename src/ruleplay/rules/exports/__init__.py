"""Write rules in other languages: functions, queries and documents that decide as they do."""
