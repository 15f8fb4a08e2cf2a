def refuse():
    return Response("slow down", status=429, headers={"Retry-After": "60000"})
